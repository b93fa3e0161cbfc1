import { type InstanceSettings, InstanceSettingsChanged, TermsOfServicePublished } from '#events/instance.ts';
import {
  RuleAdded,
  RuleEdited,
  RuleRemoved,
  RulesReordered,
  RuleTranslationRemoved,
} from '#events/instance-rules.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { type Handler, MAIN, on, type Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { boolean, date, integer, jsonb, type RowOf, table, tablesOf, text } from '#kernel/table/index.ts';

const SETTINGS = table(
  'instance_settings',
  {
    id: integer,
    settings: jsonb<Partial<InstanceSettings>>(),
    /** The number of changes. */
    changes: integer,
  },
  ['id'],
);
const RULES = table(
  'instance_rules',
  {
    id: integer,
    position: integer,
    text,
    hint: text,
    translations: jsonb<Record<string, { text: string; hint: string }>>().defaultsTo("'{}'"),
    removed: boolean.defaultsTo('false'),
  },
  ['id'],
);
const TERMS = table('terms_of_service', { effective_date: date, content: text }, ['effective_date']);

/** Counts every change, so that caches know when to read again. */
const CHANGE = statement(
  'instance_settings_change',
  `insert into instance_settings as s (id, settings, changes) values (1, $1::jsonb, 1)
   on conflict (id) do update set settings = s.settings || excluded.settings, changes = s.changes + 1`,
);
const ADD_RULE = statement(
  'instance_rules_add',
  `insert into instance_rules (id, position, text, hint)
   values ($1, (select coalesce(max(position), 0) + 1 from instance_rules), $2, $3)`,
);
const EDIT_RULE = statement(
  'instance_rules_edit',
  `update instance_rules set text = coalesce($2, text), hint = coalesce($3, hint),
     translations = translations || $4::jsonb
   where id = $1`,
);
const REMOVE_TRANSLATION = statement(
  'instance_rules_remove_translation',
  'update instance_rules set translations = translations - $2::text where id = $1',
);
const REMOVE_RULE = statement(
  'instance_rules_remove',
  'update instance_rules set removed = true where id = $1',
);
const REORDER_RULES = statement(
  'instance_rules_reorder',
  `update instance_rules r set position = n.position
   from unnest($1::int[]) with ordinality as n (id, position) where r.id = n.id`,
);
const PUBLISH_TERMS = statement(
  'terms_of_service_publish',
  'insert into terms_of_service (effective_date, content) values ($1, $2)',
);

/** The row of `instance_settings`, if there is one: it has the changed settings only. */
export type InstanceSettingsRow = Pick<RowOf<typeof SETTINGS>, 'settings' | 'changes'>;
export type InstanceRuleRow = Pick<RowOf<typeof RULES>, 'id' | 'text' | 'hint' | 'translations'>;
export type TermsOfServiceRow = RowOf<typeof TERMS>;

/** A handler of rare events: each is a run of its own, and counted. */
const counted = <Event extends RecordedEvent>(
  apply: (data: Event['data'], db: Db) => Promise<unknown>,
  settings: (data: Event['data']) => object = () => ({}),
): Handler<Event> => ({
  // One key, so that each run has one event.
  keys: () => ['instance'],
  apply: async (events, db) => {
    for (const { data } of events) {
      await apply(data, db);
      await db.query(CHANGE, [JSON.stringify(settings(data))]);
    }
  },
});

/** The settings of this server, its rules (including removed ones), and all terms of service. */
export const instance: Projection = {
  name: 'instance-settings',
  version: 2,
  group: MAIN,
  tables: tablesOf(SETTINGS, RULES, TERMS),
  indexes: [],
  handlers: [
    on(
      InstanceSettingsChanged,
      counted(
        () => Promise.resolve(),
        (data) => data,
      ),
    ),
    on(
      RuleAdded,
      counted(({ rule_id, text, hint }, db) => db.query(ADD_RULE, [rule_id, text, hint])),
    ),
    on(
      RuleEdited,
      counted(({ rule_id, text, hint, translation }, db) => {
        const { language, ...texts } = translation ?? {};
        const translations = language === undefined ? {} : { [language]: texts };
        return db.query(EDIT_RULE, [rule_id, text ?? null, hint ?? null, JSON.stringify(translations)]);
      }),
    ),
    on(
      RuleTranslationRemoved,
      counted(({ rule_id, language }, db) => db.query(REMOVE_TRANSLATION, [rule_id, language])),
    ),
    on(
      RuleRemoved,
      counted(({ rule_id }, db) => db.query(REMOVE_RULE, [rule_id])),
    ),
    on(
      RulesReordered,
      counted(({ rule_ids }, db) => db.query(REORDER_RULES, [rule_ids])),
    ),
    on(
      TermsOfServicePublished,
      counted(({ effective_date, content }, db) => db.query(PUBLISH_TERMS, [effective_date, content])),
    ),
  ],
};
