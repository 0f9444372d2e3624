// @vitest-environment jsdom
// #region test
import { createClient } from '@svc/client';
import { createMockService } from '@svc/mock-server/msw';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WorkspaceName } from '../src/workspace-name.tsx';

const service = await createMockService();
const server = setupServer(...service.handlers);
beforeAll(() => server.listen());
afterEach(cleanup);
afterAll(async () => {
  server.close();
  await service.close();
});

async function show() {
  const { accessToken, workspaceId } = await service.workspace({ name: 'Before' });
  const svc = createClient({ accessToken, baseUrl: 'https://api.example.com' });
  render(<WorkspaceName svc={svc} workspaceId={workspaceId} />);
  await screen.findByRole('heading', { name: 'Before' });
  return { svc, workspaceId };
}

function save(name: string) {
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: name } });
  fireEvent.click(screen.getByRole('button'));
}

test('a person renames a workspace', async () => {
  const { svc, workspaceId } = await show();
  save('After');
  await screen.findByRole('heading', { name: 'After' });
  expect((await svc.workspaces.retrieve(workspaceId)).name).toBe('After');
});

test('a person sees why a name is rejected', async () => {
  const { svc, workspaceId } = await show();
  save('');
  expect((await screen.findByRole('alert')).textContent).toContain('name');
  expect((await svc.workspaces.retrieve(workspaceId)).name).toBe('Before');
});
// #endregion test
