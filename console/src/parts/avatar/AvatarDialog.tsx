import { Button, ConfigProvider, Modal, Slider } from 'antd';
import { useEffect, useRef, useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FirstFocus } from '../form/FirstFocus.tsx';
import { Icon } from '../icons/Icon.tsx';
import { centred, maxZoomOf, stepped, zoomed, zoomStep, type Crop } from './crop.ts';
import { CropStage } from './CropStage.tsx';
import { cut, draw, readPicture, turned, type Picture, type PictureKind, type PictureProblem } from './picture.ts';
import styles from './avatar.module.css';

interface Props {
  open: boolean;
  /** Which files may be chosen; the profile takes no gif (specified 3.10). */
  accept?: readonly PictureKind[];
  /** The chosen square as a data address of at most 1,048,576 characters. */
  onConfirm: (address: string) => void;
  onCancel: () => void;
}
type Problem = PictureProblem | 'over' | 'encode';

const everyKind: readonly PictureKind[] = ['png', 'jpeg', 'gif'];
/** The accent of light belongs to lamps; zooming is plain ink. */
const sliderTheme = {
  components: {
    Slider: {
      trackBg: 'var(--c-text-2)',
      trackHoverBg: 'var(--c-text)',
      railBg: 'var(--c-fill)',
      railHoverBg: 'var(--c-fill)',
      handleColor: 'var(--c-text-2)',
      handleActiveColor: 'var(--c-focus)',
      dotActiveBorderColor: 'var(--c-text-2)',
      handleActiveOutlineColor: 'transparent',
    },
  },
};

/** Sets an avatar: a file, a square of it, zoom (specified 2.15). Only its two buttons close it. */
export function AvatarDialog({ open, accept = everyKind, onConfirm, onCancel }: Props) {
  const { t } = useTranslation('avatar');
  return (
    <Modal
      open={open}
      title={t('title')}
      width={600}
      centered
      footer={null}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      destroyOnHidden
    >
      <Cropper accept={accept} onConfirm={onConfirm} onCancel={onCancel} />
    </Modal>
  );
}

/** The picture being cut; its memory is given back when another takes its place and when the dialog closes. */
function usePicture(accept: readonly PictureKind[]) {
  const [picture, setPicture] = useState<Picture | null>(null);
  const [crop, setCrop] = useState<Crop>({ x: 0, y: 0, zoom: 1 });
  const [problem, setProblem] = useState<Problem | null>(null);
  const [reading, setReading] = useState(false);
  const turn = useRef(0);
  const shown = useRef<ImageBitmap>(undefined);
  const show = (next: Picture): void => {
    shown.current?.close();
    shown.current = next.bitmap;
    setPicture(next);
    setCrop(centred(next.bitmap));
  };
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    turn.current += 1;
    const own = turn.current;
    setProblem(null);
    setReading(true);
    const read = await readPicture(file, accept);
    if (own !== turn.current) {
      if ('bitmap' in read) read.bitmap.close();
      return;
    }
    setReading(false);
    if ('problem' in read) setProblem(read.problem);
    else show(read);
  };
  const change = (next: (crop: Crop) => Crop): void => {
    setProblem(null);
    setCrop(next);
  };
  const rotate = async (): Promise<void> => {
    if (picture) show(await turned(picture));
  };
  const leave = (): void => {
    turn.current += 1;
    shown.current?.close();
    shown.current = undefined;
  };
  return { picture, crop, problem, reading, take, change, rotate, leave, setProblem };
}

function Cropper({ accept, onConfirm, onCancel }: Omit<Props, 'open' | 'accept'> & { accept: readonly PictureKind[] }) {
  const { t } = useTranslation('avatar');
  const input = useRef<HTMLInputElement>(null);
  const { picture, crop, problem, reading, take, change, rotate, leave, setProblem } = usePicture(accept);
  const [cutting, setCutting] = useState(false);
  const formats = t(accept.includes('gif') ? 'formats.all' : 'formats.jpgPng');
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  };
  const confirm = async (): Promise<void> => {
    if (!picture) return;
    setCutting(true);
    try {
      const address = await cut(picture, crop);
      if (address === null) return setProblem('over');
      leave();
      onConfirm(address);
    } catch {
      setProblem('encode');
    } finally {
      setCutting(false);
    }
  };
  const cancel = (): void => {
    leave();
    onCancel();
  };
  return (
    <div className={styles.dialog} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={t('choose')}
        accept={accept
          .flatMap((kind) => (kind === 'jpeg' ? ['image/jpeg', '.jpg', '.jpeg'] : [`image/${kind}`, `.${kind}`]))
          .join(',')}
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <div className={styles.columns}>
        {picture ? (
          <CropStage picture={picture} crop={crop} onChange={change} />
        ) : (
          <div className={styles.empty}>
            <FirstFocus>
              <Button
                type="primary"
                loading={reading}
                icon={<Icon name="user" size={14} />}
                onClick={() => input.current?.click()}
              >
                {t('choose')}
              </Button>
            </FirstFocus>
            <span>{formats}</span>
          </div>
        )}
        <div className={styles.beside}>
          <span className={styles.caption}>{t('preview')}</span>
          <div className={styles.previews}>
            <Preview picture={picture} crop={crop} side={104} />
            <Preview picture={picture} crop={crop} side={36} />
          </div>
          {picture ? (
            <p id="avatar-help" className={styles.help}>
              {t('stage.help')}
            </p>
          ) : null}
        </div>
      </div>
      {picture ? (
        <Tools
          picture={picture}
          crop={crop}
          onChange={change}
          onTurn={() => void rotate()}
          onAnother={() => input.current?.click()}
          reading={reading}
        />
      ) : null}
      {problem === null ? null : (
        <p className={styles.problem} role="alert">
          <Icon name="warning" size={14} />
          <span>{problem === 'format' ? formats : t(`problem.${problem}`)}</span>
        </p>
      )}
      <div className={styles.foot}>
        <Button onClick={cancel}>{t('cancel')}</Button>
        <Button type="primary" disabled={picture === null || cutting} loading={cutting} onClick={() => void confirm()}>
          {t('confirm')}
        </Button>
      </div>
    </div>
  );
}

interface ToolsProps {
  picture: Picture;
  crop: Crop;
  onChange: (change: (crop: Crop) => Crop) => void;
  onTurn: () => void;
  onAnother: () => void;
  reading: boolean;
}

/** Zoom by buttons and slider, a quarter turn, another file. */
function Tools({ picture: { bitmap }, crop, onChange, onTurn, onAnother, reading }: ToolsProps) {
  const { t } = useTranslation('avatar');
  const most = maxZoomOf(bitmap);
  const step = (steps: number): void => onChange((now) => stepped(bitmap, now, steps));
  return (
    <div className={styles.tools}>
      <div className={styles.zoom}>
        <Button
          icon={<Icon name="minus" size={14} />}
          aria-label={t('zoom.out')}
          title={t('zoom.out')}
          disabled={crop.zoom <= 1}
          onClick={() => step(-1)}
        />
        <ConfigProvider theme={sliderTheme}>
          <Slider
            className={styles.slider ?? ''}
            min={1}
            max={most}
            step={zoomStep}
            value={crop.zoom}
            disabled={most <= 1}
            tooltip={{ open: false }}
            ariaLabelForHandle={t('zoom.label')}
            onChange={(zoom: number) => onChange((now) => zoomed(bitmap, now, zoom))}
          />
        </ConfigProvider>
        <Button
          icon={<Icon name="plus" size={14} />}
          aria-label={t('zoom.in')}
          title={t('zoom.in')}
          disabled={crop.zoom >= most}
          onClick={() => step(1)}
        />
        <output className={styles.factor} aria-label={t('zoom.label')}>
          {crop.zoom.toFixed(1)}×
        </output>
      </div>
      <Button icon={<Icon name="retry" size={14} />} onClick={onTurn}>
        {t('turn')}
      </Button>
      <Button loading={reading} onClick={onAnother}>
        {t('another')}
      </Button>
    </div>
  );
}

/** What others will see: round. */
function Preview({ picture, crop, side }: { picture: Picture | null; crop: Crop; side: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current && picture) draw(canvas.current, picture, crop, 1);
  }, [picture, crop]);
  return (
    <canvas
      ref={canvas}
      className={styles.preview}
      width={side * 2}
      height={side * 2}
      style={{ width: side, height: side }}
      aria-hidden
    />
  );
}
