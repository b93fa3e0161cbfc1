export { changeSettings } from './settings.ts';
export { readSetting, SETTING_NAMES, settingDefaults, type SettingName } from './named-settings.ts';
export { addRule, editRule, moveRule, removeRule, removeRuleTranslation } from './rules.ts';
export { publishTerms } from './terms.ts';
