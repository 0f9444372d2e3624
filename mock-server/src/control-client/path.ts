import { type ControlOperationName, type ControlParams, controlOperations } from '@svc/contract/control';

/** The path of an operation, with its parameters filled in. @throws TypeError if a parameter is missing. */
export function controlPath<Name extends ControlOperationName>(
  name: Name,
  ...[params]: Record<never, never> extends ControlParams<Name> ? [] : [params: ControlParams<Name>]
): string {
  const { method, path } = controlOperations[name];
  return path.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) => {
    const value = (params as Readonly<Record<string, unknown>> | undefined)?.[parameter];
    if (typeof value !== 'string' || value === '') throw new TypeError(`${method} ${path} requires "${parameter}".`);
    return encodeURIComponent(value);
  });
}
