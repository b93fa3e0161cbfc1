import type { HostBudget } from '#kernel/host-budget.ts';
import type { HttpClient } from '#kernel/services/http-client.ts';
import { BudgetSpent } from './remote-error.ts';

/**
 * Returns a client that spends a budget: each request and each redirect counts for its host. It throws
 * `BudgetSpent` instead of asking a host too often.
 */
export const budgeted = (http: HttpClient, budget: HostBudget): HttpClient => ({
  async fetch(url, request = {}) {
    const { headers = {} } = request;
    const count = async (step: URL): Promise<Readonly<Record<string, string>>> => {
      if (!budget.spend(step.host)) throw new BudgetSpent();
      return typeof headers === 'function' ? headers(step) : headers;
    };
    try {
      return await http.fetch(url, { ...request, headers: count });
    } catch (error) {
      throw error instanceof Error && error.cause instanceof BudgetSpent ? error.cause : error;
    }
  },
});
