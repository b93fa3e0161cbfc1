import type { StatusContent, StatusEvent } from '#events/statuses.ts';
import { plainText } from '#mastodon/html.ts';
import { type Past, type PostFacts, shownOf } from './world.ts';

/** Returns a post after an event of its stream; undefined before it exists. */
export function evolvePost(before: PostFacts | undefined, event: Past<StatusEvent>): PostFacts | undefined {
  if (event.type === 'StatusCreated' || event.type === 'ReplyRequested') {
    const { id, account_id, visibility } = event.data;
    return {
      id,
      account_id,
      visibility,
      state: event.type === 'StatusCreated' ? 'visible' : 'requested',
      marks: [],
      removed_by_staff: false,
      edits: 0,
      evidence: false,
      shown: shownOf(event),
      ...contentOf(event.data),
      sensitive: event.data.sensitive,
    };
  }
  return before && { ...before, ...changeBy(before, event) };
}

const textOf = ({ text, content }: StatusContent): string => text ?? plainText(content);

const contentOf = (content: StatusContent): Pick<PostFacts, 'text' | 'spoiler_text' | 'attachments'> => ({
  text: textOf(content),
  spoiler_text: content.spoiler_text,
  attachments: content.media.length,
});

type LaterEvent = Exclude<Past<StatusEvent>, { type: 'StatusCreated' | 'ReplyRequested' }>;

function changeBy(before: PostFacts, event: LaterEvent): Partial<PostFacts> {
  switch (event.type) {
    case 'StatusEdited': {
      // Evidence stays as it was reported.
      const content = before.evidence ? {} : contentOf(event.data);
      const shown = event.erased ? 'erased' : before.shown;
      const { sensitive, visibility } = event.data;
      return { edits: before.edits + 1, sensitive, visibility, shown, ...content };
    }
    case 'StatusDeleted':
    case 'ReplyRequestEnded':
      return { state: 'deleted' };
    case 'StatusRemoved':
      return { removed_by_staff: true };
    case 'StatusSensitized':
      return { marks: [...before.marks, event.data.strike_id] };
    case 'StatusUnsensitized': {
      const { strike_id } = event.data;
      return { marks: strike_id === null ? [] : before.marks.filter((each) => each !== strike_id) };
    }
    default:
      return {};
  }
}
