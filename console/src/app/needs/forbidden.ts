import type { ApiError } from '../../api/index.ts';
import { loadChunk } from '../../api/load-chunk.ts';
import { dismissToast, toast } from '../../frame/toast-store.ts';
import { FORBIDDEN_WARNING_MS } from '../../session/index.ts';
import { missingRight } from '../../parts/permissions/missing.ts';

/** Time to read a right and some names, and to write them down (ms). */
const NAMED_MS = 12_000;

/** A 403 warns at once with the server's sentence; the right in words and who has it replace it when they are known. */
export function sayForbidden(error: ApiError): void {
  const shown = toast.warning(error.message, FORBIDDEN_WARNING_MS);
  const missing = missingRight(error);
  if (missing === undefined) return;
  loadChunk('missing-right', () => import('./name-missing.ts'))
    .then(({ nameMissing }) => nameMissing(missing))
    .then(
      (text) => {
        dismissToast(shown);
        toast.warning(text, NAMED_MS);
      },
      // The server's sentence has said what matters.
      () => undefined,
    );
}
