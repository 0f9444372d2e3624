/** A package to measure, and the line that creates its client. */
export interface Subject {
  name: string;
  /** The argument for `npm install`: a version of an SDK, or the packed tarball of our own package. */
  install: string;
  /** Imports the package and creates its client as `client`. */
  line: string;
}

/** Popular SDKs for REST services. `install` names the version to measure. */
export const anchors: Subject[] = [
  {
    name: 'stripe',
    install: 'stripe@23.1.0',
    line: "import Stripe from 'stripe'; export const client = new Stripe('sk_test_1');",
  },
  {
    name: 'openai',
    install: 'openai@7.55.0',
    line: "import OpenAI from 'openai'; export const client = new OpenAI({ apiKey: 'k' });",
  },
  { name: 'svix', install: 'svix@2.5.0', line: "import { Svix } from 'svix'; export const client = new Svix('k');" },
  {
    name: '@octokit/core',
    install: '@octokit/core@7.0.8',
    line: "import { Octokit } from '@octokit/core'; export const client = new Octokit({ auth: 'k' });",
  },
  {
    name: '@workos-inc/node',
    install: '@workos-inc/node@11.0.0',
    line: "import { WorkOS } from '@workos-inc/node'; export const client = new WorkOS('k');",
  },
  {
    name: '@notionhq/client',
    install: '@notionhq/client@5.26.0',
    line: "import { Client } from '@notionhq/client'; export const client = new Client({ auth: 'k' });",
  },
  {
    name: '@polar-sh/sdk',
    install: '@polar-sh/sdk@1.0.1',
    line: "import { createPolar } from '@polar-sh/sdk/2026-10'; export const client = createPolar({ accessToken: 'k' });",
  },
];

/** Returns our own package, from its tarball. */
export const own = (tarball: string): Subject => ({
  name: '@svc/client',
  install: tarball,
  line: "import { createClient, isApiError } from '@svc/client'; export { isApiError }; export const client = createClient({ apiKey: 'svc_sk_1', baseUrl: 'https://a.example' });",
});
