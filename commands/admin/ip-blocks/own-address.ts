import type { IpSeverity } from '#events/ip-blocks.ts';
import type { RequestContext } from '#kernel/context.ts';
import { invalid } from '#kernel/errors.ts';
import { rangeHolds } from '#queries/admin/ip-blocks/index.ts';

/**
 * Staff cannot block their own address, because they could not lift the block. @throws RookeryError `invalid`
 */
export async function refuseOwnAddress(
  ctx: RequestContext,
  { ip, severity }: { ip: string; severity: IpSeverity },
): Promise<void> {
  if (severity !== 'no_access' || !(await rangeHolds(ctx.db, ip, ctx.ip))) return;
  throw invalid('Validation failed: Ip includes your own address', {
    ip: [{ error: 'ERR_INVALID', description: 'includes your own address' }],
  });
}
