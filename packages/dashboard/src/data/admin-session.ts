import { signal } from '@preact/signals';

const KEY = 'svc-admin-session';

/** The admin session of this tab. The token that it was exchanged for is never kept. */
export const adminSession = signal<string | undefined>(sessionStorage.getItem(KEY) ?? undefined);

/** Whether the server asks for the admin token. */
export const needsSignIn = signal(false);

export function keepAdminSession(credential: string): void {
  sessionStorage.setItem(KEY, credential);
  adminSession.value = credential;
  needsSignIn.value = false;
}

/** Forgets the session and asks for the token again. */
export function dropAdminSession(): void {
  sessionStorage.removeItem(KEY);
  adminSession.value = undefined;
  needsSignIn.value = true;
}
