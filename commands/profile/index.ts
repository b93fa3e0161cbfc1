import { deleteAvatar, deleteHeader } from './delete-picture.ts';
import { updateProfile } from './update.ts';

export const profileCommands = [updateProfile, deleteAvatar, deleteHeader];
