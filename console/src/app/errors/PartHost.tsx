import { Component, Suspense, type ErrorInfo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ChunkLoadError } from '../../api/load-chunk.ts';
import { toast } from '../../parts/index.ts';

interface Props {
  children: ReactNode;
  /** Stands where the part will be while its code is on its way. */
  fallback?: ReactNode;
  /** The part could not be shown: takes it out of `children` and answers who waits for it. */
  onFailed: () => void;
}

/**
 * Where a part of the shell is shown whose code comes when it is asked for. One that fails takes nothing else away: it
 * goes, and the operator is told and offered a reload.
 */
export function PartHost({ children, fallback = null, onFailed }: Props) {
  const { t } = useTranslation('shell');
  return (
    <Boundary
      onError={(error) => {
        const reload = { text: t('reload'), onClick: () => window.location.reload() };
        toast.failed(t(error instanceof ChunkLoadError ? 'chunk.text' : 'crash.app'), reload);
        onFailed();
      }}
    >
      <Suspense fallback={fallback}>{children}</Suspense>
    </Boundary>
  );
}

/** Draws nothing once a child has failed, until `onError` has taken that child away. */
class Boundary extends Component<{ children: ReactNode; onError: (error: unknown) => void }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error('a part of the shell failed', error, info.componentStack);
    this.props.onError(error);
    this.setState({ failed: false });
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
