import type { z } from 'zod';

export interface SchemaProblem {
  /** The names on the path, joined with dots. Empty if the problem concerns the whole value. */
  path: string;
  /** The names on the path, one per element. */
  keys: readonly PropertyKey[];
  problem: string;
  /** The first unknown field of the value at `path`. */
  unknownField?: string | undefined;
}

/** Describes the first problem with a value, in the words of the documentation. */
export function schemaProblem({ issues }: z.ZodError, value: unknown): SchemaProblem {
  const issue = innermost(issues[0], value);
  if (!issue) return { path: '', keys: [], problem: 'is not valid' };
  const isMissing = issue.path.length > 0 && at(value, issue.path) === undefined;
  const problem = problemOf(issue);
  return {
    path: issue.path.map(String).join('.'),
    keys: issue.path,
    problem: isMissing ? `is missing; it ${problem}` : problem,
    unknownField: issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined,
  };
}

function problemOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return `must ${boundOf(issue.origin)} ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `must ${boundOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`;
    case 'invalid_type':
      return hasOwnWords(issue) ? issue.message : `must be ${TYPES[issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`;
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) ? `must be ${oneOf(issue.options)}` : ownWords(issue);
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    default:
      return ownWords(issue);
  }
}

/** Whether this project wrote the message: the schema library's messages for invalid values start with `Invalid`. */
const hasOwnWords = ({ message }: z.core.$ZodIssue) => !message.startsWith('Invalid');

const ownWords = (issue: z.core.$ZodIssue) => (hasOwnWords(issue) ? issue.message : 'is not valid');

/** For a union, returns the first problem of the intended shape: the only shape that has any of the value's fields. */
function innermost(issue: z.core.$ZodIssue | undefined, value: unknown): z.core.$ZodIssue | undefined {
  if (issue?.code !== 'invalid_union') return issue;
  const given = at(value, issue.path);
  const fields = typeof given === 'object' && given !== null ? Object.keys(given) : [];
  const meant = issue.errors.filter(
    (errors) => !errors.some((error) => error.code === 'unrecognized_keys' && error.keys.length === fields.length),
  );
  const [inner] = (meant.length === 1 && fields.length > 0 ? meant[0] : undefined) ?? [];
  return inner ? innermost({ ...inner, path: [...issue.path, ...inner.path] }, value) : issue;
}

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((outer, key) => (outer as Record<PropertyKey, unknown> | null | undefined)?.[key], value);

const oneOf = (values: readonly unknown[]) =>
  values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(', ')}`;

/** How messages name these types. For all other types, messages use `a` and the name of the type. */
const TYPES: Readonly<Record<string, string>> = {
  array: 'an array',
  object: 'an object',
  record: 'an object',
  int: 'an integer',
};

const boundOf = (origin: string) => (origin === 'string' || origin === 'array' ? 'have' : 'be');

function unitOf(origin: string, count: number | bigint): string {
  const unit = { string: ['character', 'characters'], array: ['entry', 'entries'] }[origin];
  return unit ? ` ${unit[Number(count) === 1 ? 0 : 1]}` : '';
}
