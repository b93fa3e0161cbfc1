import { featureTag, unfeatureTag } from './feature.ts';
import { followTag, unfollowTag } from './follow.ts';

export const tagCommands = [followTag, unfollowTag, featureTag, unfeatureTag];
