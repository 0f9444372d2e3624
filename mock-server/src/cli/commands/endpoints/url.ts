import { Option } from 'commander';
import { UsageError } from '../../exit.ts';
import { targetUrlOf } from '../../target-url.ts';

export const urlOption = () => new Option('--url <url>', 'the URL of the endpoint, instead of an argument');

/**
 * The URL of an endpoint, from the argument or from `--url`.
 *
 * @throws {@link UsageError} if both are given, or if it is not a URL.
 */
export function endpointUrlOf(positional: string | undefined, named: string | undefined): string | undefined {
  if (positional !== undefined && named !== undefined) {
    throw new UsageError('Pass the URL once: as an argument, or with --url.');
  }
  const url = positional ?? named;
  return url === undefined ? undefined : targetUrlOf('The URL', url);
}
