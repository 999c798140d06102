import { nameSome } from '../../../shared/truncate';
import { fieldsIn, listIn } from '../../../shared/values';
import type { ToItems } from '../../engine/declaration';
import { dataWithIds } from '../../engine/output';
import { namedInErrorLog } from '../../sync/refusal';

/** Maximum number of recipients that a warning names. */
const MOST_NAMED = 10;

/**
 * Returns the response like `dataWithIds`. If the service refused some recipients, which it still calls a success, warns
 * and names those that `errorLog` names (recipientGroup.addRecipients in emulator/openapi.yaml).
 */
export const dataWithWarning: ToItems = (item, envelope, ids, request) => {
	const { errorCount, errorLog } = fieldsIn(envelope.data);
	const refusedCount = Number(errorCount);
	if (refusedCount > 0) {
		const { recipientEmails, recipientIds } = fieldsIn(request.body);
		const sent = [...listIn(recipientEmails), ...listIn(recipientIds)].map(String);
		const recipients = sent.map((value) => ({ key: value.toLowerCase(), value }));
		const named = Array.isArray(errorLog) ? namedInErrorLog(errorLog, recipients) : undefined;
		const refused = Array.from(named?.keys() ?? [], ({ value }) => value);
		item.run.warn(
			`Item ${item.getItemIndex()}: the service refused ${refusedCount} of ${sent.length} recipients${
				refused.length > 0 ? `: ${nameSome(refused, MOST_NAMED)}` : ''
			}. The output says what it did: successCount, errorCount and, if the service gives reasons, errorLog.`,
		);
	}
	return dataWithIds(item, envelope, ids, request);
};
