import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { getAttachmentFile, getAttachmentThumbnail } from '../../../../contract/register/attachments.ts';
import { callKey, fetchFile } from '../../api/index.ts';

type FileRoute = typeof getAttachmentFile | typeof getAttachmentThumbnail;

/** An address under which the browser shows a file that only this account may fetch; `failed`: it cannot be fetched. */
export function useFileUrl(route: FileRoute, id: number): { url: string | undefined; failed: boolean } {
  // What an attachment holds never changes.
  const { data, isError } = useQuery({
    queryKey: callKey(route, { params: { id } }),
    queryFn: ({ signal }) => fetchFile(route, { params: { id } }, { signal, quiet: true }),
    staleTime: Infinity,
    gcTime: 5 * 60_000,
  });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!data) return undefined;
    const made = URL.createObjectURL(data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return { url, failed: isError };
}
