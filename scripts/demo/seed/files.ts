import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadedFile } from '#kernel/endpoint.ts';
import type { Town } from './town.ts';

/** Hands pictures to an endpoint as uploaded files, and removes them afterwards. */
export async function withFiles<T>(
  { folder }: Town,
  pictures: Record<string, Buffer>,
  work: (files: Record<string, UploadedFile>) => Promise<T>,
): Promise<T> {
  const files: Record<string, UploadedFile> = {};
  for (const [field, data] of Object.entries(pictures)) {
    const path = join(folder, randomUUID());
    await writeFile(path, data);
    files[field] = { path, filename: `${field}.jpeg`, mimeType: 'image/jpeg', size: data.length };
  }
  try {
    return await work(files);
  } finally {
    for (const { path } of Object.values(files)) await rm(path, { force: true });
  }
}
