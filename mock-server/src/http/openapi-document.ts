import type { Hono } from 'hono';
import type { Services } from './services.ts';

/** Keeps the document's text, because creating the text blocks the event loop. */
export function registerDocument(app: Hono, { publicUrl }: Pick<Services, 'publicUrl'>): void {
  let kept: { url: string; text: string } | undefined;
  app.get('/openapi.json', async (c) => {
    // Load the document only on request, because it is large.
    const { createOpenApiDocument } = await import('@svc/contract/openapi');
    const url = publicUrl();
    if (kept?.url !== url) kept = { url, text: JSON.stringify(createOpenApiDocument(url)) };
    return c.body(kept.text, 200, { 'Content-Type': 'application/json' });
  });
}
