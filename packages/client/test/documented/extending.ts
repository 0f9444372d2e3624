import { createClient, type Middleware, type Workspace } from '@svc/client';
import { resourceSchemas, schemas } from '@svc/client/schemas';

const apiKey = process.env['SVC_API_KEY'] ?? '';
const baseUrl = 'https://api.example.com';

// #region middleware
/** Times every attempt. The client adds the credential after all middleware, so no middleware can leak it. */
const timed: Middleware = async (request, next, { operation, attempt }) => {
  const startedAt = performance.now();
  const response = await next(request);
  console.log(operation, attempt, response.status, performance.now() - startedAt);
  return response;
};

export const observed = createClient({ apiKey, baseUrl, middleware: [timed] });
// #endregion middleware

// #region logger
export const logged = createClient({ apiKey, baseUrl, logger: console });
// #endregion logger

// #region fetch
export const proxied = createClient({
  apiKey,
  baseUrl,
  fetch: (url, init) => fetch(`https://proxy.example/?to=${encodeURIComponent(url)}`, init),
});
// #endregion fetch

// #region pace
/** Spreads a large job over several rate-limit windows, so that other users of the key do not get a 429. */
export const paced = createClient({ apiKey, baseUrl, rateLimit: 'pace', deadlineMs: 600_000 });
// #endregion pace

// #region validate
export const checked = createClient({ apiKey, baseUrl, validate: { schemas, onInvalid: 'throw' } });
// #endregion validate

// #region schemas
export const workspaceFromStore = (text: string): Workspace => resourceSchemas.Workspace.parse(JSON.parse(text));
// #endregion schemas
