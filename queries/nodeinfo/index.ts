import { nodeInfoLinks } from './links.ts';
import { nodeInfo20, nodeInfo21 } from './show.ts';

export const nodeInfoQueries = [nodeInfoLinks, nodeInfo20, nodeInfo21];
