import { messageOf, statusOf } from '../data/server-error.ts';
import { shortenId } from '../format/text.ts';
import { href } from '../routes.ts';
import { lazy } from '../ui/lazy.tsx';

const Elsewhere = lazy(async () => (await import('./elsewhere.tsx')).Elsewhere);

/** The page for something that does not exist: what happened, why, and where to go. */
export function NotFound({ what, id, back }: { what: string; id?: string; back?: { href: string; text: string } }) {
  return (
    <div class="notice">
      <h1>This {what} does not exist</h1>
      <p>
        {id && <code title={id}>{shortenId(id)}</code>}{' '}
        {id && what !== 'workspace' && 'is not in this workspace. It is in another workspace, or it was deleted.'}
        {id && what === 'workspace' && 'was deleted, for example by a reset, or the address is wrong.'}
        {!id && 'The address is wrong, or the item was deleted.'}
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

/** The page for a failed query. */
export function Failure({
  error,
  what,
  id,
  back,
}: {
  error: unknown;
  what: string;
  id?: string;
  back?: { href: string; text: string };
}) {
  const status = statusOf(error);
  if (status === 404) return <NotFound what={what} {...(id && { id })} {...(back && { back })} />;
  if (status === 403) {
    return (
      <div class="notice">
        <h1>No access</h1>
        <p>{messageOf(error)}</p>
        <p>
          At the top right, choose the user or API key that the page acts as. An API key may do everything in its
          workspace.
        </p>
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
