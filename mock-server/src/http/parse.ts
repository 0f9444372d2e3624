import type { z } from 'zod';
import { validation } from './errors.ts';

/** Parses with a schema of the contract. @throws 400 `VALIDATION` that names the first thing that is wrong. */
export function parseOrThrow<Value>(schema: z.ZodType<Value>, value: unknown, what: 'body' | 'query'): Value {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.map(String).join('.');
  const problem = issue ? problemOf(issue) : 'is not valid';
  throw validation(path ? `Invalid ${what}: "${path}" ${problem}.` : `Invalid ${what}: it ${problem}.`);
}

/** What is wrong, in the words of the documents: our own rules say it themselves, the schema library's are said here. */
function problemOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return `must ${boundOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `must ${boundOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'invalid_type':
      return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    default:
      return issue.message.startsWith('Invalid') ? 'is not valid' : issue.message;
  }
}

const boundOf = (origin: string) => (origin === 'string' || origin === 'array' ? 'have' : 'be');
const unitOf = (origin: string) => (origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '');
