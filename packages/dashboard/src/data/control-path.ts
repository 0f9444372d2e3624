import type { ControlMethod, ControlPath, PathParameters } from '@svc/contract/control/types';

type Params<Path extends string> = Readonly<Record<PathParameters<Path>, string>>;

/**
 * Returns the path of a call, with values in place of the parameters. `method` only tells the compiler which paths to
 * accept.
 */
export function controlPath<Method extends ControlMethod, Path extends ControlPath<Method>>(
  _method: Method,
  path: Path,
  ...[params]: Record<never, never> extends Params<Path> ? [params?: Params<Path>] : [params: Params<Path>]
): string {
  const values: Readonly<Record<string, string>> = params ?? {};
  return `/_control${path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? ''))}`;
}
