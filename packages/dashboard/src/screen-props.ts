/** The properties of a workspace's screen. `query` has the screen's filters. */
export interface ScreenProps {
  workspaceId: string;
  id: string;
  query: Record<string, string>;
}
