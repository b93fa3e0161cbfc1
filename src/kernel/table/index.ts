export * from './columns.ts';
export { batch, table, tablesOf, type RowOf, type Table } from './table.ts';
export { together, type Step, type Write } from './write.ts';
