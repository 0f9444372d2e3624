import { type ApiKeyClient, type ClientOptions, createClient, type UserClient } from '../../src/index.ts';

/** A credential that no other string contains by chance. */
export const API_KEY = 'svc_sk_test_7Qm2ZcVvXr9LwTfK';
export const ACCESS_TOKEN = 'svc_pat_test_Hn4RbYpE8sJdUgWa';

/** A client with an API key for a test server. */
export function apiKeyClient(server: { url: string }, options: Partial<ClientOptions> = {}): ApiKeyClient {
  return createClient({ apiKey: API_KEY, baseUrl: server.url, ...options });
}

/** A user's client for a test server. */
export function userClient(server: { url: string }, options: Partial<ClientOptions> = {}): UserClient {
  return createClient({ accessToken: ACCESS_TOKEN, baseUrl: server.url, ...options });
}
