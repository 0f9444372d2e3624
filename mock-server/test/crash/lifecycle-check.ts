/** What a run has found so far. */
export interface Found {
  problems: string[];
  evaluations: number;
  /** Kills during an import, and kills during an evaluation. */
  cutImports: number;
  cutEvaluations: number;
}

/** What to check. */
export interface Subject {
  url: string;
  workspaceId: string;
  apiKey: string;
  /** The maximum number of profiles that the workspace may have. */
  profiles: number;
}

interface Profile {
  externalId: string;
  name: string;
  email: string;
  attributes: { version: number };
}

interface Evaluation {
  id: string;
  eventId: string;
  profiles: number;
  states: Record<string, number>;
}

/** Checks what is stored after a kill, once the interrupted cycle is over. */
export async function checkLifecycle(subject: Subject, found: Found): Promise<void> {
  const { url, workspaceId, apiKey } = subject;
  const base = `${url}/_control/workspaces/${workspaceId}`;
  await ask(`${url}/_control/settle`, 'POST');
  const profiles = await all<Profile>(`${base}/profiles?limit=100`);
  const keys = new Set(profiles.map(({ externalId }) => externalId));
  if (keys.size !== profiles.length) found.problems.push(`${profiles.length - keys.size} profiles exist twice`);
  for (const { externalId, name, email, attributes } of profiles) {
    const versions = new Set([name, email.split('@')[0], `v${attributes.version}`]);
    if (versions.size > 1) found.problems.push(`${externalId} is half written: ${[...versions].join(', ')}`);
  }
  const { evaluation } = (await ask(`${base}/evaluate`, 'POST')) as { evaluation: Evaluation };
  if (evaluation.profiles !== profiles.length) {
    found.problems.push(`an evaluation covered ${evaluation.profiles} of ${profiles.length} profiles`);
  }
  const evaluations = await all<Evaluation>(`${base}/evaluations?limit=100`);
  const events = await all<{ id: string }>(`${url}/v1/events?type=lifecycle.evaluated&limit=100`, apiKey);
  const [made, told] = [evaluations.map(({ eventId }) => eventId).sort(), events.map(({ id }) => id).sort()];
  if (made.join() !== told.join()) found.problems.push(`${made.length} evaluations do not match ${told.length} events`);
  for (const { id, profiles: count, states } of evaluations) {
    const sum = Object.values(states).reduce((total, one) => total + one, 0);
    if (sum !== count) found.problems.push(`${id} has ${count} profiles in ${sum} states`);
  }
  found.evaluations = evaluations.length;
}

async function ask(url: string, method = 'GET', apiKey?: string): Promise<unknown> {
  const headers = {
    ...(method === 'POST' && { 'content-type': 'application/json' }),
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  const response = await fetch(url, { method, headers, body: method === 'POST' ? '{}' : null });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return await response.json();
}

async function all<Item>(first: string, apiKey?: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let next: string | null = first; next !== null; ) {
    const page = (await ask(next, 'GET', apiKey)) as { data: Item[]; nextPageUrl: string | null };
    items.push(...page.data);
    next = page.nextPageUrl;
  }
  return items;
}
