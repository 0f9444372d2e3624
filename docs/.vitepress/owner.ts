import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Addresses that only the owner of the project can fill in, in the root's `package.json`. */
interface Addresses {
  repository?: { url: string };
  homepage?: string;
}

const { repository, homepage }: Addresses = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
);

/** The public address of the repository, for links to the source of a page, or `undefined` until there is one. */
export const repositoryUrl: string | undefined = repository?.url.replace(/^git\+/, '').replace(/\.git$/, '');

/** The public address of the site, for the sitemap and for cards in social media, or `undefined` until there is one. */
export const siteUrl: string | undefined = homepage?.replace(/\/?$/, '/');

/** The version of the packages that the site describes. */
export const version: string = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../packages/client/package.json'), 'utf8'),
).version;
