import type { UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ApiError } from './api-error.ts';

/**
 * Asks again for what the live line says has changed. While an answer is on its way it is not called off (where ticks
 * come faster than answers nothing would ever be shown) but followed by one more question, as it may be older than the
 * tick. What was refused for want of rights is not asked for again.
 */
export function useAgain({
  isFetching,
  refetch,
  error,
}: Pick<UseQueryResult<unknown, ApiError>, 'isFetching' | 'refetch' | 'error'>): () => void {
  const now = useRef({ asking: false, more: false });
  const follow = async (state: typeof now.current): Promise<void> => {
    state.more = isFetching || state.asking;
    if (state.asking) return;
    state.asking = true;
    await refetch({ cancelRefetch: false });
    while (state.more) {
      state.more = false;
      await refetch({ cancelRefetch: false });
    }
    state.asking = false;
  };
  return () => {
    if (error?.status !== 403) void follow(now.current);
  };
}
