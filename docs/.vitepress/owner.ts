import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Addresses in the root `package.json`, which only the owner of the project can fill in. */
interface Addresses {
  repository?: { url: string };
  homepage?: string;
}

const { repository, homepage }: Addresses = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
);

/** The repository's public address, for links to the source of a page. `undefined` until the owner fills it in. */
export const repositoryUrl: string | undefined = repository?.url.replace(/^git\+/, '').replace(/\.git$/, '');

/**
 * The site's public address, for the sitemap and for cards in social media. `undefined` until the owner fills it in.
 */
export const siteUrl: string | undefined = homepage?.replace(/\/?$/, '/');

/** The version of the packages that the site describes. */
export const version: string = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../packages/client/package.json'), 'utf8'),
).version;
