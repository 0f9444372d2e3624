import type { Answer } from './attempt.ts';
import { ResponseError } from './errors.ts';
import { tell } from './logger.ts';
import type { Settings } from './settings.ts';

/** Returns the data from an operation's answer. Throws {@link ResponseError} if the answer is not as expected. */
export async function readAnswer<Data>(
  { validate, logger }: Settings,
  operation: string,
  { text, info }: Answer,
  pick?: string | null,
): Promise<Data> {
  // A 404 gets here only if the DELETE counts as done. Any other body is checked: a gateway's page does not prove that the
  // service did anything.
  if ((pick === null || pick === '') && (!text || info.status === 404)) return undefined as Data;
  const fail = (message: string, more?: object) => new ResponseError(message, info, more);
  let json: Record<string, unknown> | undefined;
  try {
    json = JSON.parse(text);
  } catch {
    throw fail('The answer is not JSON');
  }
  const issues = (await validate?.schemas[operation]?.['~standard'].validate(json))?.issues;
  if (issues) {
    const failure = fail('The answer failed validation', { operation, issues });
    if (validate?.onInvalid === 'throw') throw failure;
    tell(logger?.warn ? logger : console, 'warn', failure.message, failure.toJSON());
  }
  const data = pick ? json?.[pick] : json;
  if (!data || typeof data !== 'object') throw fail('The answer is not as expected');
  return (pick === null ? undefined : data) as Data;
}
