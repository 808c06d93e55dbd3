package io.delayjob.redisson.migration;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import java.io.IOException;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.Marshalling;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.Unmarshaller;
import org.redisson.client.codec.BaseCodec;
import org.redisson.client.handler.State;
import org.redisson.client.protocol.Decoder;
import org.redisson.client.protocol.Encoder;

/** Reads what the MarshallingCodec of Redisson 3 has written. */
class OldMarshallingCodec extends BaseCodec {

    private final MarshallerFactory river = Marshalling.getProvidedMarshallerFactory("river");

    @Override
    public Decoder<Object> getValueDecoder() {
        return this::read;
    }

    private Object read(ByteBuf written, State state) throws IOException {
        try (Unmarshaller unmarshaller = river.createUnmarshaller(new MarshallingConfiguration())) {
            unmarshaller.start(Marshalling.createByteInput(new ByteBufInputStream(written)));
            return unmarshaller.readObject();
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
    }

    @Override
    public Encoder getValueEncoder() {
        throw new UnsupportedOperationException("nothing is written by the old codec");
    }
}
