import * as z from 'zod';
import { SEARCH_TYPES, type SearchResult } from '../resources/search-result.ts';
import { open } from './primitives.ts';

export const SearchResultSchema = z.object({
  id: z.string(),
  type: open(SEARCH_TYPES),
  title: z.string(),
  snippet: z.string().nullable(),
  url: z.string().nullable(),
}) satisfies z.ZodType<SearchResult>;
