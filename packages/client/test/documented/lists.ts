import type { ApiKeyClient, Page, WebhookDelivery } from '@svc/client';

// #region iterate
export async function countFailures(svc: ApiKeyClient): Promise<number> {
  let failures = 0;
  for await (const delivery of svc.webhooks.deliveries.list({ status: 'failed' })) failures += delivery.attempt;
  return failures;
}
// #endregion iterate

// #region page
export async function firstTwoPages(svc: ApiKeyClient): Promise<WebhookDelivery[]> {
  const first = await svc.webhooks.deliveries.list({ limit: 50 });
  const second = await first.next();
  return [...first.data, ...(second?.data ?? [])];
}
// #endregion page

// #region collect
export async function latest(svc: ApiKeyClient): Promise<WebhookDelivery[]> {
  return svc.webhooks.deliveries.list().collect({ limit: 500 });
}
// #endregion collect

// #region pages
export async function store(svc: ApiKeyClient, save: (page: Page<WebhookDelivery>) => Promise<void>): Promise<void> {
  for await (const page of svc.webhooks.deliveries.list().pages({ maxPages: 10, prefetch: true })) {
    await save(page);
  }
}
// #endregion pages

// #region resume
export async function goOn(svc: ApiKeyClient, keptUrl: string | null): Promise<string | null> {
  const { deliveries } = svc.webhooks;
  const page = await (keptUrl === null ? deliveries.list() : deliveries.list.resume(keptUrl));
  return page.nextPageUrl;
}
// #endregion resume
