import type { DefaultTheme } from 'vitepress';

/** The search uses an index that is part of the site, so it works offline. */
export const search: NonNullable<DefaultTheme.Config['search']> = {
  provider: 'local',
  options: {
    detailedView: true,
    miniSearch: {
      // These functions also run in the browser, so they must be self-contained.
      options: {
        // Index `webhook-id` as a word, and also `webhook` and `id`.
        tokenize: (text: string) =>
          (text.match(/[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*/gu) ?? []).flatMap((word) => [
            ...new Set([word, ...word.split('.'), ...word.split(/[-_.]/)]),
          ]),
        // Ignore words such as "how" and "the", so that readers can ask questions. Index different forms of a word as
        // one word.
        processTerm: (term: string) =>
          /^(?:an?|the|is|are|be|do|does|did|has|have|how|why|what|which|when|where|who|i|it|my|me|your?|of|in|on|to|from|for|with|and|or|can|may|go|happens|all)$/i.test(
            term,
          )
            ? null
            : term
                .toLowerCase()
                .replace(/^licen[cs].*/, 'license')
                .replace(/^(?:pagina|paging).*/, 'page')
                .replace(/^idempoten.*/, 'idempotent')
                .replace(/(?<=...)ie[sd]$/, 'y'),
      },
      searchOptions: {
        // With `OR`, a page matches if it contains at least one of the words. Pages with more of the words come first.
        combineWith: 'OR',
        fuzzy: 0.15,
        prefix: true,
        boost: { title: 5, titles: 2, text: 1 },
        // Prefer guides, because they explain things that the reference only lists.
        boostDocument: (id: string) => {
          if (id.startsWith('/guides/')) return 1;
          if (id.startsWith('/faq')) return 0.75;
          if (id.startsWith('/api/')) return /#(?:function|class|interface|type-alias|variable)-/.test(id) ? 0.35 : 0.1;
          return id.startsWith('/reference/') ? 0.45 : 0.6;
        },
      },
    },
  },
};
