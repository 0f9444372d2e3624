/** The properties of a workspace's screen. `query` has its filters. */
export interface ScreenProps {
  workspaceId: string;
  id: string;
  query: Record<string, string>;
}
