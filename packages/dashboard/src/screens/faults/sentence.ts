export interface ToldFault {
  target: 'api' | 'delivery';
  match?: object | undefined;
  effect: object;
  /** How many more times the fault can apply. Null means no limit. */
  remaining: number | null;
  probability?: number | undefined;
}

/** Describes a fault in a sentence, for example "The next 2 attempts to b.test/in will get a 503." */
export function faultSentence(fault: ToldFault, nameOf: (endpointId: string) => string): string {
  const { remaining, probability = 1 } = fault;
  if (remaining === 0) return 'Used up.';
  const match = (fault.match ?? {}) as Readonly<Record<string, unknown>>;
  const what = fault.target === 'api' ? apiSubject(match, remaining) : deliverySubject(match, remaining, nameOf);
  const share = probability < 1 ? `, ${Math.round(probability * 100)} % of the time` : '';
  return `${what} ${effectText(fault.effect as Readonly<Record<string, unknown>>, fault.target, remaining === null)}${share}.`;
}

const counted = (remaining: number | null, one: string, many: string) =>
  remaining === null ? `Every ${one}` : remaining === 1 ? `The next ${one}` : `The next ${remaining} ${many}`;

function apiSubject(match: Readonly<Record<string, unknown>>, remaining: number | null): string {
  const method = match['method'] ? `${match['method']} ` : '';
  const path = match['path'] ? ` to ${match['path']}` : '';
  const workspace = match['workspaceId'] ? ` for ${match['workspaceId']}` : '';
  return `${counted(remaining, `${method}request`, `${method}requests`)}${path}${workspace}`;
}

function deliverySubject(
  match: Readonly<Record<string, unknown>>,
  remaining: number | null,
  nameOf: (endpointId: string) => string,
): string {
  const number = match['attempt'] ? ` number ${match['attempt']}` : '';
  const type = match['eventType'] ? ` of ${match['eventType']}` : '';
  const endpoint = match['endpointId'] ? ` to ${nameOf(String(match['endpointId']))}` : '';
  const workspace = match['workspaceId'] ? ` in ${match['workspaceId']}` : '';
  return `${counted(remaining, 'attempt', 'attempts')}${number}${type}${endpoint}${workspace}`;
}

function effectText(effect: Readonly<Record<string, unknown>>, target: 'api' | 'delivery', isEvery: boolean): string {
  const { status, delayMs, reset, drop, duplicate, reorder } = effect;
  const verb = (base: string, every: string) => (isEvery ? every : `will ${base}`);
  const late = typeof delayMs === 'number' ? ` after ${delayMs / 1000} s` : '';
  if (status !== undefined) return `${verb('get', 'gets')} a ${status}${late}`;
  if (reset === 'response') return `${verb('be', 'is')} processed, then cut off${late}`;
  if (reset) return `${verb('be', 'is')} cut off${late}`;
  if (drop === 'response') return `${verb('be', 'is')} processed, but ${verb('get', 'gets')} no response`;
  if (drop) return `${verb('get', 'gets')} no response`;
  if (duplicate) return `${verb('be', 'is')} sent twice${late}`;
  if (reorder) return `${verb('arrive', 'arrives')} out of order`;
  return target === 'api' ? `${verb('get', 'gets')} a response${late}` : `${verb('arrive', 'arrives')}${late}`;
}
