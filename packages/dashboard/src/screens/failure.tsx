import { messageOf, statusOf } from '../data/server-error.ts';
import { shortenId } from '../format/text.ts';
import { href } from '../routes.ts';
import { lazy } from '../ui/lazy.tsx';

const Elsewhere = lazy(async () => (await import('./elsewhere.tsx')).Elsewhere);

interface Missing {
  what: string;
  id?: string | undefined;
  back?: { href: string; text: string } | undefined;
}

export function NotFound({ what, id, back }: Missing) {
  const reason =
    what === 'workspace'
      ? 'was deleted, perhaps by a reset, or the address is wrong.'
      : 'is in another workspace, or it was deleted.';
  return (
    <div class="notice">
      <h1>This {what} does not exist</h1>
      <p>
        {id && <code title={id}>{shortenId(id)}</code>} {id ? reason : 'It was deleted, or the address is wrong.'}
      </p>
      <p class="row">
        <a class="button" href={back?.href ?? href('')}>
          {back?.text ?? 'Go to the overview'}
        </a>
        {id && what !== 'workspace' && <Elsewhere id={id} />}
      </p>
    </div>
  );
}

export function Failure({ error, what, id, back }: Missing & { error: unknown }) {
  const status = statusOf(error);
  if (status === 404) return <NotFound what={what} id={id} back={back} />;
  if (status === 403) {
    return (
      <div class="notice">
        <h1>No access</h1>
        <p>{messageOf(error)}</p>
        <p>At the top right, choose the user or API key that the page acts as. An API key may do everything here.</p>
      </div>
    );
  }
  return (
    <div class="notice" role="alert">
      <h1>Cannot show this {what}</h1>
      <p>{messageOf(error)}</p>
    </div>
  );
}
