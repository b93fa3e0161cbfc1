/** The addresses of pages that others link to. */
export const SEARCH = '/admin/search';
export const ACCOUNTS = '/admin/accounts';
export const SIGN_UPS = '/admin/sign_ups';
export const REPORTS = '/admin/reports';
export const APPEALS = '/admin/appeals';
export const AUDIT = '/admin/audit';
export const REPLAY = '/admin/replay';
export const CHECKPOINTS = '/admin/checkpoints';
export const PROOFS = '/admin/proofs';
export const TRENDS = '/admin/trends';
export const PROJECTIONS = '/admin/projections';
export const REACTORS = '/admin/reactors';
export const ALERTS_PAGE = '/admin/alerts';
export const JOBS = '/admin/jobs';
export const FEDERATION = '/admin/federation';

export const accountPath = (id: string): string => `${ACCOUNTS}/${id}`;
export const reportPath = (id: string): string => `${REPORTS}/${id}`;
export const appealPath = (id: string): string => `${APPEALS}/${id}`;
export const replayPath = (kind: string, id: string): string => `${REPLAY}/${kind}/${encodeURIComponent(id)}`;
export const casePath = (entry: string): string => `${AUDIT}/${entry}/case`;
export const proofPath = (entry: string): string => `${PROOFS}/${entry}`;
export const projectionPath = (name: string): string => `${PROJECTIONS}/${name}`;
export const hostPath = (host: string): string => `${FEDERATION}/${encodeURIComponent(host)}`;
