import { followAccount } from './follow.ts';
import { unfollowAccount } from './unfollow.ts';

export const accountCommands = [followAccount, unfollowAccount];
