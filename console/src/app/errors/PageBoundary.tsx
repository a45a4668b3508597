import { Button } from 'antd';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../parts/index.ts';
import { ChunkLoadError } from '../../api/load-chunk.ts';
import styles from './PageBoundary.module.css';

function CrashNotice({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const { t } = useTranslation('shell');
  const chunk = error instanceof ChunkLoadError;
  return (
    <div className={styles.notice} role="alert">
      <h1>{t(chunk ? 'chunk.title' : 'crash.title')}</h1>
      <p>{t(chunk ? 'chunk.text' : 'crash.text')}</p>
      {chunk ? null : <code>{error instanceof Error ? error.message : String(error)}</code>}
      <Button
        type="primary"
        icon={<Icon name="retry" size={14} />}
        onClick={chunk ? () => window.location.reload() : onAgain}
      >
        {t(chunk ? 'reload' : 'tabs.refresh')}
      </Button>
    </div>
  );
}

interface Props {
  children: ReactNode;
  /** Starts the page anew. */
  onAgain: () => void;
}

/** Keeps the failure of one page to its tab. A class, because React offers nothing else that catches. */
export class PageBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error ?? new Error('unknown') };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error('a page failed', error, info.componentStack);
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return <CrashNotice error={this.state.error} onAgain={this.props.onAgain} />;
  }
}
