import { clearSession, endOnServer, PREVIEW_DOOR } from '../../session/index.ts';
import { useTabStore } from '../tabs/tab-context.ts';

/** Ends the preview: its session on the server, then the tab; where the browser does not close it, the tab says that it is over. */
export function useExitPreview(): () => void {
  const tabs = useTabStore();
  return () => {
    void endOnServer();
    // Nothing typed into a preview could be saved: no question about it.
    for (const tab of tabs.getState().tabs) tabs.setUnsaved(tab.key, false);
    clearSession();
    window.close();
    window.location.replace(PREVIEW_DOOR);
  };
}
