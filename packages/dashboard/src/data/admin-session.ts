import { signal } from '@preact/signals';
import { ADMIN_SESSION_KEY } from './session-key.ts';

/** The credential of the admin session, which the page stores in the tab. The page never stores the admin token. */
export const adminSession = signal<string | undefined>(sessionStorage.getItem(ADMIN_SESSION_KEY) ?? undefined);

export const needsSignIn = signal(false);

export function keepAdminSession(credential: string): void {
  sessionStorage.setItem(ADMIN_SESSION_KEY, credential);
  adminSession.value = credential;
  needsSignIn.value = false;
}

export function dropAdminSession(): void {
  sessionStorage.removeItem(ADMIN_SESSION_KEY);
  adminSession.value = undefined;
  needsSignIn.value = true;
}
