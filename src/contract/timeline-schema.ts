import { TIMELINE_KINDS } from '../../schemas/states';
import { UPLOAD, UPLOAD_ID } from './examples';
import { nullableText, orNull, record, text, time } from './answers';

export const TimelineEntry = record({
  at: {
    ...time,
    description: 'When it was asked for or found; of a webhook, when it failed.',
  },
  kind: { type: 'string', enum: TIMELINE_KINDS },
  title: { ...text, description: 'A sentence for a person.' },
  state: {
    ...text,
    description:
      'As the thing itself has it now: of an upload, a change, a rollout, a reading, a delivery.',
  },
  by: {
    ...orNull(record({ user_id: text, name: text })),
    description:
      'Who did it. Null: nobody did, or it was another user, whom operators and `support` see.',
  },
  url: { ...nullableText, description: 'Where the API has it. Null: you would not see it there.' },
});

export const TIMELINE_ENTRY = {
  at: UPLOAD.created_at,
  kind: 'upload',
  title: 'The menu went live in App B',
  state: 'uploaded',
  by: { user_id: 'usr_01a1fe1f790b9b594112a9ef590f17f0', name: 'Back office' },
  url: `/api/v1/menus/uploads/${UPLOAD_ID}`,
};
