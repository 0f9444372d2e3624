export interface ScreenProps {
  workspaceId: string;
  id: string;
  query: Record<string, string>;
}
