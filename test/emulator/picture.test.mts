import { pictureOf } from '../../emulator/state/picture.mts';
import FormData from 'form-data';
import { first, useEmulator } from './client.mts';

const { emulator, ok } = useEmulator({ seed: { people: 1, campaigns: 1, surveys: 0 } });

const pngHead = Buffer.from('89504e470d0a1a0a0000000d49484452000000400000002008060000', 'hex');
const gifHead = Buffer.from('47494638396103000500', 'hex');
/** A JPEG: APP0, a table whose marker lies in the range of frame markers, and a progressive frame of 300 by 200 pixels. */
const jpegHead = Buffer.from('ffd8ffe000040102ffc400030affc2000b0800c8012c0111', 'hex');

test.each([
	['png', pngHead, { format: 'png', width: 64, height: 32 }],
	['gif', gifHead, { format: 'gif', width: 3, height: 5 }],
	['jpg', jpegHead, { format: 'jpg', width: 300, height: 200 }],
	['nothing', Buffer.alloc(0), undefined],
	['text', Buffer.from('GIF89 is what it says'), undefined],
	['a cut png', pngHead.subarray(0, 20), undefined],
	['a cut jpeg', jpegHead.subarray(0, 12), undefined],
])('detects the format and size of pictures only: %s', (_name, bytes, expected) => {
	expect(pictureOf(bytes)).toEqual(expected);
});

test('shows width, height and format only for pictures', async () => {
	const path = `/campaign/${first(emulator.state.campaigns.values())._id}/file`;
	const upload = async (content: Buffer) => {
		const body = new FormData();
		body.append('file', content, 'x');
		return await ok(`POST ${path}`, body);
	};
	expect(await upload(pngHead)).toMatchObject({ width: 64, height: 32, format: 'png' });
	const text = await upload(Buffer.from('text'));
	for (const field of ['width', 'height', 'format']) expect(text).not.toHaveProperty(field);
});
