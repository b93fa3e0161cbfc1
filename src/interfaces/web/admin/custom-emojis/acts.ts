import { html } from '#interfaces/web/design/html.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { actPage } from '../act-page.ts';
import { BACK, EMOJIS } from './form.ts';

const ACTS = {
  enable: { label: 'Enable', text: 'Its shortcode stands for the picture in texts again, old ones too.' },
  disable: {
    label: 'Disable',
    text: 'Its shortcode is plain text in posts, old ones too. It can be enabled again.',
  },
  delete: {
    label: 'Delete the emoji',
    text: 'Its shortcode is plain text in posts, old ones too, and its name is free again. This cannot be undone.',
  },
} as const;

const emojiActPage = (verb: keyof typeof ACTS): WebPage =>
  actPage({
    path: `${EMOJIS}/:id/${verb}`,
    permission: 'manage_custom_emojis',
    ask: async ({ api, params }) => {
      const { entity: emoji } = await api('GET v1/admin/custom_emojis/:id', { params });
      const { label, text } = ACTS[verb];
      return {
        title: `${label}: ${emoji.shortcode}`,
        text: html`<p><img class="emoji-picture" src="${emoji.url}" alt="" width="32" height="32" /></p>
          <p>${text}</p>`,
        label,
        ...(verb !== 'enable' && { look: 'danger' }),
        back: BACK,
      };
    },
    act: async ({ api, params }) => {
      if (verb === 'delete') {
        await api('DELETE v1/admin/custom_emojis/:id', { params });
        return saying(EMOJIS, 'staff_removed');
      }
      await api('PUT v1/admin/custom_emojis/:id', { params, body: { disabled: verb === 'disable' } });
      return saying(EMOJIS, 'emoji_saved');
    },
  });

export const emojiActs: readonly WebPage[] = (['enable', 'disable', 'delete'] as const).map(emojiActPage);
