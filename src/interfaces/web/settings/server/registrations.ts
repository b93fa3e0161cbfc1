import { changeSettings, readSetting } from '#commands/instance/index.ts';
import { type Choice, radioField } from '#interfaces/web/design/choice-fields.ts';
import { longField } from '#interfaces/web/design/fields.ts';
import { html } from '#interfaces/web/design/html.ts';
import { form } from '#interfaces/web/page/forms.ts';
import { keepTexts } from '#interfaces/web/page/kept-texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import { instanceSettings } from '#queries/instance/index.ts';
import { afterStep, REGISTRATIONS, saveButtons, staffPage, stepPage } from './steps.ts';

const MODES: readonly Choice[] = [
  {
    value: 'open',
    label: 'Anyone can sign up',
    hint: 'Needs mail that works, and moderators who look in daily.',
  },
  {
    value: 'approved',
    label: 'Approval required to sign up',
    hint: 'Moderators read why somebody wants to join.',
  },
  { value: 'closed', label: 'Nobody can sign up', hint: 'You create accounts with: rookery accounts create' },
];

/** `/start/server/registrations`: who may sign up. */
export const registrationsPage = staffPage('manage_settings', {
  path: REGISTRATIONS,
  show: async (request, tried) => {
    const settings = await instanceSettings(request.ctx.db);
    const fields = tried?.fields ?? settings;
    const content = html`${radioField({
      name: 'registrations',
      label: 'Who can sign up',
      choices: MODES,
      chosen: fields['registrations'] ?? settings.registrations,
      problems: tried?.byField?.['registrations'],
    })}
    ${longField(
      {
        name: 'registrations_message',
        label: 'Message while nobody can sign up (optional)',
        autocomplete: 'off',
        hint: 'Text or HTML. The front page shows it.',
        value: fields['registrations_message'] ?? '',
      },
      20_000,
    )}
    ${saveButtons(REGISTRATIONS)}`;
    return stepPage(request, 'Sign-ups', [form(request, content, { action: REGISTRATIONS })], {
      tried,
      hasForm: true,
    });
  },
  keep: keepTexts({ registrations_message: 'Message' }),
  submit: async ({ ctx }, fields) => {
    const changes = {
      ...(await readSetting(ctx, 'registrations', Buffer.from(fields['registrations'] ?? ''))),
      ...(await readSetting(
        ctx,
        'registrations_message',
        Buffer.from(fields['registrations_message'] ?? ''),
      )),
    };
    await changeSettings(ctx, changes);
    return { redirect: saying(afterStep(REGISTRATIONS), 'setting') };
  },
});
