export { changeSettings } from './settings.ts';
export { readSettings } from './read-settings.ts';
export { readSetting, SETTING_NAMES, settingDefaults, type SettingName } from './named-settings.ts';
export { addRule, editRule, moveRule, removeRule, removeRuleTranslation } from './rules.ts';
export { publishTerms } from './terms.ts';
export { MAX_RULE_HINT, MAX_RULE_TEXT, MAX_RULES } from '#events/instance-rules.ts';
export type { InstanceSettings } from '#events/instance.ts';
