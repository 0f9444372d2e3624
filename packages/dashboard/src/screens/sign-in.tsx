import { useEffect, useRef, useState } from 'preact/hooks';
import { keepAdminSession } from '../data/admin-session.ts';
import { control } from '../data/control.ts';
import { messageOf, statusOf } from '../data/server-error.ts';
import { Problem } from '../ui/problem.tsx';

/** Asks for the admin token, which the page does not store. */
export function SignIn() {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const token = useRef<HTMLInputElement>(null);
  useEffect(() => token.current?.focus(), []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('token') as HTMLInputElement;
    setBusy(true);
    try {
      const options = { body: { admin: true }, token: field.value.trim() } as const;
      keepAdminSession((await control('POST', '/sessions', options)).credential);
    } catch (error) {
      setProblem(statusOf(error) === 401 ? 'This is not the admin token of this server.' : messageOf(error));
      setBusy(false);
      field.select();
    }
  };
  return (
    <main class="sign-in" id="main">
      <form onSubmit={submit}>
        <h1>Sign in</h1>
        <p>
          The server runs with an admin token. Enter the value of <code>--admin-token</code> (
          <code>SVC_ADMIN_TOKEN</code>).
        </p>
        <label class="field">
          <span>Admin token</span>
          <input
            ref={token}
            name="token"
            type="password"
            autocomplete="off"
            required
            aria-invalid={problem !== undefined}
            aria-describedby="sign-in-problem"
          />
        </label>
        <Problem id="sign-in-problem">{problem}</Problem>
        <button type="submit" class="primary" disabled={isBusy}>
          Sign in
        </button>
      </form>
    </main>
  );
}
