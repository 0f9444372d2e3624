import { normalize } from 'node:path/posix';
import type { MarkdownRenderer } from 'vitepress';
import { REPOSITORY_ONLY } from './navigation.ts';

/**
 * A guide may link to a file in the repository that is not a page, such as `../../examples/replay-failed`. On GitHub,
 * the link works. The site shows the path instead, because the repository has no public address yet.
 */
export function showRepositoryPaths(md: MarkdownRenderer): void {
  md.core.ruler.push('repository-paths', ({ tokens, env }) => {
    const page = String((env as { relativePath?: string }).relativePath);
    for (const { children } of tokens) {
      let path: string | undefined;
      for (const [index, token] of (children ?? []).entries()) {
        if (token.type === 'link_open') {
          path = repositoryPath(page, String(token.attrGet('href')));
          if (path === undefined) continue;
          token.tag = 'span';
          token.type = 'repository_path_open';
          token.attrs = [
            ['class', 'repository-path'],
            ['title', `In the repository: ${path}`],
          ];
        } else if (token.type === 'link_close' && path !== undefined) {
          token.tag = 'span';
          token.type = 'repository_path_close';
          const text = children?.[index - 1]?.content;
          if (text !== path) token.meta = { path };
          path = undefined;
        }
      }
    }
  });
  md.renderer.rules['repository_path_close'] = (tokens, index) => {
    const { path } = (tokens[index]?.meta ?? {}) as { path?: string };
    return path === undefined ? '</span>' : ` (<code>${md.utils.escapeHtml(path)}</code>)</span>`;
  };
}

/**
 * If a link on a page leads out of `docs/` or to a page that is not on the site, returns the target's path from the
 * root of the repository.
 */
export function repositoryPath(page: string, href: string): string | undefined {
  if (/^(?:[a-z]+:|[#/])/i.test(href)) return undefined;
  const path = normalize(`docs/${page}/../${href.replace(/#.*/, '')}`);
  const isPage = path.startsWith('docs/') && !REPOSITORY_ONLY.some((page) => path === `docs/${page}.md`);
  return isPage ? undefined : path.replace(/\/$/, '');
}
