import type { AddressInfo } from 'node:net';
import express from 'express';
import { answerJobs } from './processes.ts';

/** The baseline: a plain Express app that has the objects in memory and answers by `res.json`. */
const bodies = new Map<string, unknown>();
const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.get('/:row', (req, res) => void res.json(bodies.get(req.params.row)));

const server = app.listen(0, '127.0.0.1');
const listening = new Promise((resolve) => server.once('listening', resolve));

answerJobs(async ({ row, text }: { row: string; text: string }) => {
  await listening;
  bodies.set(row, JSON.parse(text));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${row}` };
});
